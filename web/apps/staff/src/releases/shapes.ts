import type { components } from "@heartrule/sdk";

type Schemas = components["schemas"];

export type ProjectReleases = Schemas["ProjectReleases"];
export type Release = Schemas["ReleaseShape"];
export type Standing = Schemas["ReleaseSummary"];
export type Gate = Schemas["GateShape"];
export type Impact = Schemas["ImpactShape"];
export type Example = Schemas["ExampleShape"];
export type SideBySide = Schemas["FiguresSideBySide"];
export type Figures = Schemas["FiguresOfRelease"];
export type Changes = Schemas["ReleaseChanges"];
export type Log = Schemas["ReleaseLog"];
export type Published = Schemas["PublishedShape"];
