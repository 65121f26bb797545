/** Short names for the server's shapes. */
import type { components } from "./api.js";

type Schemas = components["schemas"];

export type About = Schemas["About"];
export type Contact = Schemas["Contact"];
export type Script = Schemas["Script"];
export type Session = Schemas["Session"];
export type Created = Schemas["Created"];
export type SessionList = Schemas["SessionList"];
export type MessageList = Schemas["MessageList"];
export type Recovery = Schemas["Recovery"];
export type Turn = Schemas["Turn"];
export type Message = Schemas["Message"];
export type Position = Schemas["Position"];
export type Request = Schemas["Request"];
export type Choice = Schemas["Choice"];
export type Progress = Schemas["Progress"];
export type ProblemDocument = Schemas["Problem"];

/** What the engine can be told. */
export type Input =
  | { type: "start" }
  | { type: "resume" }
  | { type: "message"; text: string }
  | { type: "choice"; choice: string };

/** `POST /sessions/{id}/turns`. */
export interface TurnRequest {
  key: string;
  after?: number;
  input: Input;
}

/** `POST /sessions`. */
export interface NewSession {
  script: string;
  variables?: Record<string, unknown>;
  locale?: string;
  options?: { memory?: boolean; debug_level?: number };
  debug?: boolean;
}
