import type { Schemas } from "@heartrule/sdk";

/** What the server says at the desk. */
export type Item = Schemas["DeskItem"];
export type ItemList = Schemas["DeskList"];
export type Person = Schemas["PersonShape"];
export type OnDuty = Schemas["OnDuty"];
export type Colleague = Schemas["Colleague"];
export type Opened = Schemas["DeskSession"];
export type Note = Schemas["NoteShape"];
export type NoteList = Schemas["NoteList"];
export type Canned = Schemas["CannedShape"];
export type CannedList = Schemas["CannedList"];
export type Hours = Schemas["HoursShape"];
export type Rota = Schemas["RotaShape"];
export type Hit = Schemas["Hit"];
export type Hits = Schemas["Hits"];
export type Shift = Schemas["ShiftShape"];
export type Waking = Schemas["WakeSettings"];
export type Figures = Schemas["FiguresShape"];

/** The clinical picture, and its parts. */
export type Picture = Schemas["Picture"];
export type Trigger = Schemas["Trigger"];
export type Course = Schemas["ScoreCourse"];
export type Answered = Schemas["FormPicture"];
export type Correction = Schemas["CorrectionShape"];
export type Earlier = Schemas["Earlier"];
export type Values = Schemas["Values"];
/** Something that was taken from the person's words. */
export type Taken = Schemas["ValueShape"];

export type AlertKind = "crisis" | "escalated" | "assigned" | "message";
