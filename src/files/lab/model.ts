import type { TopologError } from '../../common/errors.ts';
import type { CheckForm, StageForm } from '../../common/forms/check.ts';
import type { WeatherForm } from '../../common/forms/weather.ts';
import type { CustomAdapter, Filters, ProjectSettings } from '../../events/fields.ts';
import type { LabValues } from '../../model/field.ts';
import type { LINK_IN_LAB } from '../../model/link.ts';

/**
 * A lab as somebody means it, whatever text says so. Things are named by name: ids, MAC addresses and console ports are the server's.
 * What is absent is not said: it stays as it is, or has its default where the thing is new. Nodes and links that are not said go.
 */
export interface Lab {
  name: string;
  settings: Partial<Omit<ProjectSettings, 'name' | 'groups' | 'checks' | 'stages'>>;
  /** In the order of the text; no two of them have one name. */
  nodes: LabNode[];
  /** In the order of the text; a port is in one of them at most. */
  links: LabLink[];
  /** Absent: not said, so that those that are there stay. */
  drawings?: LabDrawing[];
  /** What is to hold, what happens, and lessons, as their forms have them. Absent: not said. */
  checks?: CheckForm[];
  weather?: WeatherForm[];
  stages?: StageForm[];
}

/** Fields of a text's node that are fields of a node as they are. */
export const NODE_FIELDS = [
  ...(['z', 'symbol', 'locked', 'console_type', 'console_auto_start'] as const),
  ...(['port_name_format', 'port_segment_size', 'first_port_name', 'custom_adapters'] as const),
] as const;

export interface LabNode {
  name: string;
  /** Its name so far: it is renamed, and no other node. */
  was?: string;
  /** Neutral token, or the name that existing tools use. One of `kind` and `template` is there. */
  kind?: string;
  /** Name or id. */
  template?: string;
  /** Name or id of the compute; `auto`: the best one. */
  compute?: string;
  /** Scene units. */
  x?: number;
  y?: number;
  z?: number;
  symbol?: string;
  locked?: boolean;
  console_type?: string;
  console_auto_start?: boolean;
  port_name_format?: string;
  port_segment_size?: number;
  first_port_name?: string;
  custom_adapters?: CustomAdapter[];
  /** As the kind's schema has them; texts that become files of the node are among them. */
  properties: Record<string, unknown>;
  /** `10.0.0.1/24`, or with a gateway behind a space; lines of the start-up text of a kind that has such. */
  addresses?: string[];
  /** What it reads at its start; the kind says which of its properties takes it. Behind the addresses. */
  startup?: string;
  /** Files of the node with their texts, by their names below its directory. */
  files?: Record<string, string>;
}

/** A port of a node. `port`: its name, its short name, `adapter/port`, or its place in the node's list from 0. Absent: the only one. */
export interface LabEnd {
  node: string;
  port?: string;
}

export interface LabLink extends LabValues<typeof LINK_IN_LAB> {
  ends: [LabEnd, LabEnd];
  /** By name and parameters; `delay>` acts from the first end to the second alone, `delay<` back. Empty: none. */
  filters: Filters;
}

/** Drawings have no names: one is the same as long as all of this is. */
export interface LabDrawing {
  svg: string;
  x: number;
  y: number;
  z: number;
  /** Degrees. */
  rotation: number;
  locked?: boolean;
}

/** A text, and those that it names. */
export interface LabInput {
  text: string;
  /** Texts of other files, by the names that the text has for them. */
  files: Readonly<Record<string, string>>;
  /** What the text wants and nothing here stands for is simulated. */
  simulate?: boolean;
}

/** Where a text says something of a lab. `field`: as errors name it; empty: the text itself. */
export interface LabPlace {
  line: number;
  column: number;
  field: string;
}

/** Path of keys to a value in a lab: `['nodes', 'PC1', 'kind']`, `['links', 3]`. */
export type LabPath = readonly PropertyKey[];
export type PlaceOf = (path: LabPath) => LabPlace;
export type ProblemAt = (path: LabPath, problem: string) => TopologError;

export interface LabReading {
  lab: Lab;
  /** What is taken otherwise than it is said, as sentences. */
  notes: string[];
  /** Where the text says something of the lab. */
  placeOf: PlaceOf;
}

/** What is wrong with a text, beside what it tells by itself. Links and stages have their places in it. */
export type CheckLab = (
  lab: {
    nodes: readonly LabNode[];
    links: readonly (readonly [number, LabLink])[];
    /** All of them; absent: not said, or not right. */
    checks?: readonly CheckForm[];
    stages: readonly (readonly [number, StageForm])[];
  },
  problemAt: ProblemAt,
) => readonly TopologError[];

/** A way to write a lab as a text. What cannot be read is refused by an error that names the line, the field, and what would be right. */
export interface LabFormat {
  /** `look`: asked where the text is refused anyway, so that all is told at once. */
  read(given: LabInput, look?: CheckLab): LabReading;
  /** `notes`: what this format cannot say. */
  write(lab: Lab): { text: string; notes: string[] };
  /** Whether a file of this name has such a text. */
  isNamed(file: string): boolean;
  /** Names of the files that a text wants beside it; of a text that cannot be read: none. */
  filesNamed(text: string): string[];
}
