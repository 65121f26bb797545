import { css } from "lit";

/** Nothing of it takes room until somebody asks for it: it lies over the gap below a reply. */
export const reportingLook = css`
  .report {
    align-self: flex-start;
    margin: 0;
    font-size: 0.875em;
  }
  div.report {
    position: relative;
    block-size: 0;
    margin-block-start: -1rem;
    z-index: 1;
  }
  .report .offer {
    position: absolute;
    inset-block-start: 0;
    inset-inline-start: -0.5em;
    min-block-size: 0;
    padding: 0 0.6em;
    border: 0;
    background: none;
    color: var(--_quiet);
    font-size: 0.75rem;
    line-height: 1rem;
    white-space: nowrap;
    opacity: 0;
  }
  /* As high as the gap, and yet large enough for a finger. */
  .report .offer::after {
    content: "";
    position: absolute;
    inset: -0.3rem 0;
  }
  .report button.offer:hover {
    text-decoration: underline;
  }
  .message:hover + .report .offer,
  .report:hover .offer,
  .report .offer:focus-visible {
    opacity: 1;
  }
  .report.told {
    color: var(--_quiet);
  }
  .report.asked {
    inline-size: min(100%, 26em);
    padding: 0.6em 0.9em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }
  .report p {
    margin: 0 0 0.3rem;
  }
  .reasons {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1em;
  }
  .reasons label {
    display: flex;
    gap: 0.4em;
    align-items: center;
    min-block-size: 2rem;
  }
  .reasons input {
    accent-color: var(--_accent);
    inline-size: 1.1em;
    block-size: 1.1em;
  }
  .report .more {
    display: grid;
    gap: 0.2em;
    margin-block: 0.3rem;
    color: var(--_quiet);
  }
  .report textarea {
    font: inherit;
    color: var(--_ink);
    padding: 0.3em 0.6em;
    border: 1px solid var(--_quiet);
    border-radius: var(--_radius);
    background: var(--_paper);
    resize: vertical;
  }
  .report .row {
    margin: 0;
  }
  /* Where nothing hovers, the last reply's stands there, and those of others come when they are touched. */
  @media (hover: none) {
    .report .offer[tabindex="0"] {
      opacity: 1;
    }
  }
`;
