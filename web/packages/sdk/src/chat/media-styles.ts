import { css } from "lit";

export const mediaLook = css`
  .media {
    margin: 0.5rem 0 0;
    max-inline-size: 100%;
  }
  .media:first-child {
    margin-block-start: 0;
  }
  .media img {
    display: block;
    max-inline-size: 100%;
    block-size: auto;
    max-block-size: 60vh;
    border-radius: var(--_radius);
    background: var(--_own);
  }
  .media figcaption {
    color: var(--_quiet);
    font-size: 0.9375em;
    margin-block: 0.3rem;
  }
  .media audio {
    inline-size: 100%;
    min-inline-size: min(16rem, 100%);
  }
  .media summary {
    color: var(--_accent);
    cursor: pointer;
    font-size: 0.9375em;
    min-block-size: 1.75rem;
  }
  .card {
    border: 1px solid var(--_line);
    border-inline-start: 4px solid var(--_accent);
    border-radius: var(--_radius);
    padding: 0.5em 0.9em;
  }
  .card .title {
    margin: 0;
  }
  .card ul {
    margin: 0.3em 0 0;
    padding-inline-start: 1.3em;
  }
  .chart svg {
    display: block;
    inline-size: 100%;
    max-inline-size: 30rem;
    block-size: auto;
  }
  .chart .axis {
    stroke: var(--_line);
  }
  .chart .course {
    fill: none;
    stroke: var(--_accent);
    stroke-width: 2;
  }
  .chart .point,
  .chart .bar {
    fill: var(--_accent);
  }
  .chart text {
    fill: var(--_ink);
    font-size: 12px;
  }
  .chart th {
    font-weight: 400;
    text-align: start;
    padding-inline-end: 1.5em;
  }
  .chart td {
    text-align: end;
  }
  .rhythm {
    color: var(--_quiet);
    font-size: 0.9375em;
  }
  /* What it will take is there before it has been drawn, so that the transcript ends below it. */
  heart-pacer {
    display: block;
    min-block-size: 15rem;
  }
`;

export const pacerLook = css`
  :host {
    display: block;
  }
  .pacer {
    display: grid;
    justify-items: center;
    gap: 0.5rem;
    padding-block: 0.5rem;
    inline-size: min(18rem, 100%);
  }
  .ring {
    inline-size: 9rem;
    block-size: 9rem;
    border: 1px dashed var(--_line);
    border-radius: 50%;
    display: grid;
    place-items: center;
  }
  .circle {
    inline-size: 100%;
    block-size: 100%;
    border-radius: 50%;
    background: var(--_accent);
    opacity: 0.55;
    transform: scale(0.45);
  }
  p {
    margin: 0;
  }
  .count {
    font-size: 1.25em;
    font-variant-numeric: tabular-nums;
  }
  .rhythm {
    color: var(--_quiet);
    font-size: 0.875em;
  }
  @media (prefers-reduced-motion: reduce) {
    .circle {
      transform: scale(0.7);
    }
  }
`;
