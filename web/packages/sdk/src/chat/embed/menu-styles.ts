import { css } from "lit";

export const menuLook = css`
  .menu-bar {
    flex: none;
    display: flex;
    gap: 0.5rem;
    justify-content: space-between;
    padding: 0.25rem 1rem;
    border-block-end: 1px solid var(--_line);
  }
  .menu-bar button,
  .menu button {
    min-block-size: 2.75rem;
    border-color: transparent;
  }
  .menu-bar .exit {
    color: var(--_quiet);
  }
  .menu {
    flex: none;
    max-block-size: 50%;
    overflow-y: auto;
    margin: 0;
    padding: 0.25rem 1rem;
    border-block-end: 1px solid var(--_line);
    list-style: none;
  }
  .menu button {
    inline-size: 100%;
    text-align: start;
  }
  .menu-line {
    margin: 0;
    padding-inline: 1rem;
  }
  .notice h2 {
    margin: 0 0 0.5rem;
    font-size: 1.125em;
  }
  .notice dl {
    margin: 0;
  }
  .notice dt {
    margin-block-start: 0.75rem;
    font-weight: 600;
  }
  .notice dd {
    margin: 0;
  }
  .notice dd p {
    margin: 0.2rem 0;
  }
  .notice .crisis {
    max-block-size: none;
    border: 0;
    padding: 0;
  }
  .agree {
    margin-block: 1rem;
    background: var(--_accent);
    border-color: var(--_accent);
    color: var(--_on-accent);
  }
`;
