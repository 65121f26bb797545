import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";

/** Panels, one at a time; arrows go from tab to tab. */
export function Tabs({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { name: string; title: string; panel(): ReactNode }[];
}) {
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const moved = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (at + step + tabs.length) % tabs.length;
    setAt(next);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  const shown = tabs[at];
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className="debug-tabs" onKeyDown={moved}>
        {tabs.map((each, index) => (
          <button
            key={each.name}
            type="button"
            role="tab"
            id={`${id}${each.name}`}
            aria-selected={index === at}
            aria-controls={index === at ? `${id}panel` : undefined}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setAt(index)}
          >
            {each.title}
          </button>
        ))}
      </div>
      {shown && (
        <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${shown.name}`}>
          {shown.panel()}
        </div>
      )}
    </>
  );
}
