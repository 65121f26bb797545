import type { Conversation, ConversationState } from "@heartrule/sdk";
import { useEffect, useRef, useState } from "react";
import { deskClient } from "../shell/client.js";

/** A session as it goes on, for as long as it is shown. Nothing is ever sent through it. */
export function useConversation(id: string): { state: ConversationState | null; conversation: Conversation | null } {
  const [state, setState] = useState<ConversationState | null>(null);
  const [conversation, setConversation] = useState<Conversation | null>(null);
  useEffect(() => {
    const held = deskClient().conversation(id, "");
    setConversation(held);
    const stop = held.subscribe(setState);
    held.open();
    return () => {
      stop();
      held.leave();
      setState(null);
    };
  }, [id]);
  return { state, conversation };
}

/** Does something once so many milliseconds have passed without another wish for it. */
export function useSettled(act: () => void, wait: number): () => void {
  const latest = useRef(act);
  latest.current = act;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => latest.current(), wait);
  };
}
