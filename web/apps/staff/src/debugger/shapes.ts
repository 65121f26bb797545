import type { components } from "@heartrule/sdk";

type Schemas = components["schemas"];

export type State = Schemas["DebugState"];
export type Frame = Schemas["StackFrame"];
export type Project = Schemas["DebugProject"];
export type Item = Schemas["DebugItem"];
export type Variable = Schemas["VariableShape"];
export type Call = Schemas["CallShape"];
export type OpenedCall = Schemas["OpenedCall"];
export type Run = Schemas["RunShape"];
export type Node = Schemas["NodeShape"];
export type Snapshot = Schemas["SnapshotShape"];
export type Comparison = Schemas["ComparisonShape"];
export type Carried = Schemas["CarriedShape"];
export type Descent = Schemas["DescentShape"];
export type Reader = Schemas["ReaderShape"];
export type Happened = Schemas["EventShape"];
export type Watching = Schemas["WatchingShape"];
export type Trial = Schemas["TrialShape"];
export type RiskFiles = Schemas["RiskFileList"];
export type RiskHeard = Schemas["RiskHeardShape"];
export type Listened = Schemas["ListenedShape"];
export type Sentence = Schemas["SentenceShape"];
export type Breakpoint = Schemas["Breakpoint"];
export type Accepted = Schemas["AcceptedShape"];

export type Go = "run" | "over" | "into" | "out" | "call";

/** The present texts of the files, by path. */
export type Texts = Readonly<Record<string, string>>;
