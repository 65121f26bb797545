import { css } from "lit";

/** A form stands in the transcript like something on paper: a frame, and room for a thumb. */
export const formLook = css`
  :host {
    display: block;
    margin-block: 1rem 0.5rem;
  }
  section {
    border: 1px solid var(--_line);
    border-inline-start: 4px solid var(--_accent);
    border-radius: var(--_radius);
    padding: 0.75rem 1rem;
  }
  h2 {
    margin: 0 0 0.25rem;
    font-size: 1.0625em;
  }
  h3 {
    margin: 0;
    font-size: 1em;
  }
  p {
    margin: 0.25rem 0;
    white-space: pre-wrap;
  }
  fieldset,
  .field {
    margin: 0.75rem 0;
    padding: 0;
    border: 0;
    min-inline-size: 0;
  }
  legend,
  .field > label {
    display: block;
    padding: 0;
    font-weight: 600;
  }
  .optional,
  .help {
    color: var(--_quiet);
    font-size: 0.875em;
    font-weight: normal;
  }
  .picks {
    display: grid;
    gap: 0.4rem;
    margin-block: 0.5rem;
  }
  .short .picks {
    grid-template-columns: repeat(auto-fit, minmax(7.5em, 1fr));
  }
  .rated .picks {
    grid-auto-flow: column;
    grid-auto-columns: minmax(0, 1fr);
    margin-block-end: 0;
  }
  .rated .picks label {
    flex-direction: column;
    justify-content: center;
    gap: 0.2em;
    padding-inline: 0.2em;
  }
  .picks label {
    display: flex;
    gap: 0.6em;
    align-items: center;
    min-block-size: 2.75rem;
    padding: 0.3em 0.8em;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    cursor: pointer;
  }
  .picks label:hover {
    border-color: var(--_accent);
  }
  .picks label:has(:checked) {
    border-color: var(--_accent);
    background: var(--_own);
  }
  .picks label:has(:focus-visible) {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  input[type="radio"],
  input[type="checkbox"] {
    flex: none;
    inline-size: 1.2em;
    block-size: 1.2em;
    margin: 0;
    accent-color: var(--_accent);
    outline: none;
  }
  input:not([type="radio"], [type="checkbox"], [type="range"]),
  textarea {
    inline-size: 100%;
    min-block-size: 2.75rem;
    margin-block: 0.4rem;
    padding: 0.4em 0.7em;
    font: inherit;
    /* Below 16 pixels phones zoom the page when the field is touched. */
    font-size: max(1em, 16px);
    color: inherit;
    background: transparent;
    border: 1px solid var(--_quiet);
    border-radius: var(--_radius);
  }
  textarea {
    resize: vertical;
  }
  .written {
    display: flex;
    gap: 0.5em;
    align-items: center;
    max-inline-size: 22em;
  }
  .slider {
    margin-block: 0.4rem;
  }
  input[type="range"] {
    inline-size: 100%;
    block-size: 2.75rem;
    margin: 0;
    accent-color: var(--_accent);
  }
  input.unset {
    opacity: 0.6;
  }
  .ends {
    display: grid;
    grid-template-columns: 1fr auto 1fr;
    gap: 1em;
    font-size: 0.875em;
  }
  .ends > :last-child {
    text-align: end;
  }
  output {
    font-weight: 600;
  }
  .note {
    margin-block: 0.75rem 0;
  }
  [aria-invalid="true"]:is(input, textarea) {
    border-color: var(--_warn);
  }
  .wrong {
    color: var(--_warn);
    font-size: 0.9375em;
  }
  .errors {
    margin-block: 0.75rem;
    padding: 0.5rem 0.9rem;
    border: 2px solid var(--_warn);
    border-radius: var(--_radius);
  }
  .errors ul {
    margin: 0.25rem 0 0;
    padding: 0;
    list-style: none;
  }
  .errors li {
    display: grid;
    justify-items: start;
    padding-block: 0.2em;
  }
  .link {
    min-block-size: 0;
    padding: 0;
    border: 0;
    border-radius: 0;
    background: none;
    color: var(--_accent);
    text-align: start;
    text-decoration: underline;
  }
  .acts {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    margin-block-start: 0.75rem;
  }
  /* A line of its own: were it as long as its words let it be, an answer would move the options under the finger. */
  .acts .quiet {
    flex-basis: 100%;
  }

  .acts.low {
    justify-content: space-between;
  }
  .main {
    background: var(--_accent);
    border-color: var(--_accent);
    color: var(--_on-accent);
  }
  .main[aria-disabled="true"] {
    background: transparent;
    border-color: var(--_line);
    color: var(--_quiet);
    cursor: default;
  }
  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1em;
    margin-block-start: 0.5rem;
    font-size: 0.8125em;
  }
`;
