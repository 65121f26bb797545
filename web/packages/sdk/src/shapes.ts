/** Short names for the server's shapes. */
import type { components } from "./api.js";

/** Everything that the server says, by the names that its OpenAPI document gives. */
export type Schemas = components["schemas"];

/** `notice_days`: after how many days without a visit sessions are deleted, when the server says so. */
export type About = Schemas["About"] & { notice_days?: number };
export type Contact = Schemas["Contact"];
export type Script = Schemas["ScriptShape"];
export type Session = Schemas["SessionShape"];
/** A session as a list has it. */
export type SessionItem = Schemas["SessionItem"];
export type Created = Schemas["CreatedSession"];
export type SessionList = Schemas["SessionList"];
export type MessageList = Schemas["MessageList"];
export type Recovery = Schemas["Recovery"];
export type Stopping = Schemas["StopOutcome"];
export type Turn = Schemas["Turn"];
export type Message = Schemas["Message"];
/** What is kept of a person. */
export type Space = Schemas["Space"];
/** What a person agreed to before a session. */
export type Consent = Schemas["ConsentShape"];
/** Whom a person wants told when they need help. */
export type NamedContact = Schemas["NamedContact"];
export type Known = Schemas["KnownShape"];
/** What was told or explained and may come up again. */
export type Remembered = Schemas["RememberedShape"];
/** Something that is remembered beside the turns, with where it comes from. */
export type Memory = Schemas["MemoryShape"];
export type MemoryList = Schemas["MemoryList"];
/** Whether conversations may know of earlier ones. */
export type Remembering = Schemas["RememberingShape"];
/** What happened, how scores went, what was reached. */
export type Timeline = Schemas["TimelineShape"];
export type FormScore = Schemas["FormScore"];
/** What is shown or heard beside a message. */
export type Media = Schemas["Media"];
export type MessageDelta = Schemas["MessageDelta"];
export type Position = Schemas["Position"];
export type Request = Schemas["RequestShape"];
export type Choice = Schemas["Choice"];
/** Whole numbers, one of which answers a question. */
export type Scale = Schemas["ScaleShape"];
export type Progress = Schemas["Progress"];
/** A form to be filled, with what has been answered so far. */
export type Form = Schemas["FormShape"];
export type FormField = Schemas["FormField"];
export type FormProblem = Schemas["FormProblem"];
export type FormValue = Form["values"][string];
/** A form as it was handed in, with what it came to. */
export type FormResult = Schemas["FormResult"];
export type FormResults = Schemas["FormResults"];
/** The counsellor of flesh and blood who speaks in the program's place. */
export type Human = Schemas["HumanShape"];
export type OnDuty = Schemas["OnDuty"];
export type DeskItem = Schemas["DeskItem"];
export type DeskSession = Schemas["DeskSession"];
export type DeskHolder = Schemas["Holder"];
export type Escalation = Schemas["Escalation"];
export type OpenedEscalation = Schemas["OpenedEscalation"];
export type DeskShow = "help" | "mine" | "escalated" | "taken" | "all" | "ended";
/** A reply that the person has reported. */
export type Report = Schemas["ReportShape"];
export type ReportReason = Report["reason"];
/** A reply that is to be judged, without a word of it. */
export type WaitingReply = Schemas["WaitingReply"];
export type ReviewQueue = Schemas["ReviewQueue"];
export type OpenedReply = Schemas["OpenedReply"];
export type Review = Schemas["Review"];
/** What a counsellor says of a reply. */
export type Judged = Schemas["ReplyVerdict"];
export type Verdict = Judged["verdict"];
/** A form that a script left to the counsellor. */
export type LeftForm = Schemas["LeftForm"];
export type LeftForms = Schemas["LeftForms"];
export type DoneForm = Schemas["DoneForm"];
/** A turn of a debug session. */
export type Debug = Schemas["Debug"];
/** What we use of a problem document. */
export type ProblemDocument = Pick<Schemas["Problem"], "title"> & {
  code: string;
  detail?: string | null;
  reference?: string | null;
};
export type ServerProblemCode = Schemas["Problem"]["code"];

/** What the engine can be told. */
export type Input =
  | { type: "start" }
  | { type: "resume" }
  | { type: "message"; text: string }
  | { type: "choice"; choice: string }
  | FormInput;

/** Answers of a form by the ids of its fields; null takes one back. */
export type FormAnswers = Readonly<Record<string, FormValue | null>>;

/** What was filled in of the form `key`: kept, handed in, or put away. */
export interface FormInput {
  type: "form_draft" | "form_submit" | "form_cancel";
  form: { key: string; values: FormAnswers };
}

/** `POST /sessions/{id}/turns`. */
export interface TurnRequest {
  key: string;
  after?: number;
  /** The key of what was said just before this and may still be on its way. */
  follows?: string;
  input: Input;
}

/** `POST /sessions`. `notice`: the version of the notice that the person has agreed to. */
export interface NewSession {
  script: string;
  variables?: Record<string, unknown>;
  locale?: string;
  options?: { memory?: boolean; debug_level?: Debug["level"] };
  notice?: string;
  /** The browser's time zone (IANA): the numbers to call are those of its country. The client adds its own. */
  zone?: string;
}
