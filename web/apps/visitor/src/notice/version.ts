/** Which notice somebody has agreed to: raised whenever what it says changes, in any language. Kept by the server with each
 * session that is begun after it. */
export const NOTICE = "2026-11-22";
