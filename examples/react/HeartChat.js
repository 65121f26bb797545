// <heart-chat> as a component of React 19. Load the element beside it:
// <script type="module" src="https://heart.example/sdk/heart-chat.js" crossorigin="anonymous">.

import { createElement, useLayoutEffect, useRef } from "react";

/** `on`: listeners by name, as in `{{ message: (detail) => … }}`; everything else is an attribute of the element. */
export function HeartChat({ on = {}, getToken = null, ...rest }) {
  const chat = useRef(null);
  const listeners = useRef(on);
  listeners.current = on;
  const names = Object.keys(on).sort().join(" ");

  // Before the element has made a session: it is the person's from its beginning on. A function that is new with every
  // render would ask anew who the person is, so that only whether there is one counts.
  const asked = useRef(getToken);
  asked.current = getToken;
  const signed = getToken !== null;
  useLayoutEffect(() => {
    chat.current.getToken = signed ? () => asked.current() : null;
  }, [signed]);

  useLayoutEffect(() => {
    const node = chat.current;
    const heard = (event) => listeners.current[event.type.replace("heartrule-", "")]?.(event.detail);
    const events = names.split(" ").filter(Boolean).map((name) => `heartrule-${name}`);
    for (const event of events) node.addEventListener(event, heard);
    return () => {
      for (const event of events) node.removeEventListener(event, heard);
    };
  }, [names]);
  return createElement("heart-chat", { ref: chat, ...rest });
}
