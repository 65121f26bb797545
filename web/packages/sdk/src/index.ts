export * from "./client.js";
export { Conversation } from "./conversation.js";
export { DeskClient } from "./desk.js";
export type { Growing } from "./growth.js";
export { newKey } from "./key.js";
export * from "./problem.js";
export type * from "./shapes.js";
export type { ConversationState, Entry, Saying, Status } from "./state.js";
export { localStore, MemoryStorage, type Storage, sessionStore, WebStorage } from "./storage.js";
