/** Lines of 24 × 24, drawn in the colour of the words beside them. */
const LINES: Record<string, string> = {
  say: "M4 5h16v11H9l-5 4z",
  ai_say: "M4 5h16v11H9l-5 4zM8 9h8M8 12h5",
  ask: "M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2.2M12 17.5v.01M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z",
  ai_ask: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20 20M8 10.5h5",
  ai_think: "M7 15a4 4 0 0 1 .5-8 5 5 0 0 1 9.3 1A3.5 3.5 0 0 1 17 15zM8 18.5v.01M5.5 21v.01",
  set_var: "M5 19h3L19 8l-3-3L5 16zM14 7l3 3",
  use_skill: "M9 4h6v4a2 2 0 1 0 0 4h0v8H4v-5a2 2 0 1 0 0-4V6h5z",
  ai_guide: "M12 21c0-8 2-13 8-16 1 8-2 12-8 13M12 18C7 17 4 14 4 9c4 0 7 2 8 6",
  show_form: "M6 4h12v17H6zM9 9h6M9 13h6M9 17h3",
  show_pic: "M4 5h16v14H4zM4 16l5-5 4 4 2-2 5 5M15.5 9v.01",
  ai_pic:
    "M12 4a8 8 0 1 0 0 16c1.5 0 2-1 1.500-2.200-.5-1.300.3-2.300 1.700-2.300H17a3 3 0 0 0 3-3A8 8 0 0 0 12 4zM8 12v.01M10 8v.01M15 8v.01",
  user_option: "M4 5h6v6H4zM5.500 8l1.200 1.200L9 6.500M13 8h7M4 14h6v6H4zM13 17h7",
  user_say: "M4 12h12M11 7l5 5-5 5M20 5v14",
  parallel_actions: "M7 4v16M12 4v16M17 4v16",
  awareness:
    "M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z",
  form: "M6 4h12v17H6zM9 9h6M9 13h6M9 17h3",
  technique: "M9 4h6v4a2 2 0 1 0 0 4h0v8H4v-5a2 2 0 1 0 0-4V6h5z",
  session: "M4 5h16v11H9l-5 4z",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
  more: "M6 12v.01M12 12v.01M18 12v.01",
  grip: "M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01",
  open: "M6 9l6 6 6-6",
  shut: "M9 6l6 6-6 6",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
  redo: "M16 5l4 4-4 4M20 9H10a5 5 0 0 0 0 10h3",
  close: "M6 6l12 12M18 6 6 18",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  add: "M12 5v14M5 12h14",
};

export function Icon({ name }: { name: string }) {
  const d = LINES[name] ?? "M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z";
  return (
    <svg className="drawn-icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
      <path d={d} fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
