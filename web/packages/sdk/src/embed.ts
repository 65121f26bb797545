export * from "./chat/index.js";
export * from "./index.js";
