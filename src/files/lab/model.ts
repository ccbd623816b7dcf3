import type { TopologError } from '../../common/errors.ts';
import type { CheckForm, StageForm } from '../../common/forms/check.ts';
import type { WeatherForm } from '../../common/forms/weather.ts';
import type { CustomAdapter, Filters, ProjectSettings } from '../../events/fields.ts';
import type { LabValues } from '../../model/field.ts';
import type { LINK_IN_LAB } from '../../model/link.ts';
import type { GivenFiles } from './given-files.ts';

/**
 * A lab as a text describes it, in any format. Things are referred to by name: ids, MAC addresses and console ports
 * are assigned by the server. Absent values stay as they are, or get their defaults on new things. Nodes and links
 * that are absent are deleted.
 */
export interface Lab {
  name: string;
  settings: Partial<Omit<ProjectSettings, 'name' | 'groups' | 'checks' | 'stages'>>;
  /** In the order of the text; names are unique. */
  nodes: LabNode[];
  /** In the order of the text; each port is in one link at most. */
  links: LabLink[];
  /** Absent: drawings stay as they are. */
  drawings?: LabDrawing[];
  /** Lists in their forms. Absent: they stay as they are. */
  checks?: CheckForm[];
  weather?: WeatherForm[];
  stages?: StageForm[];
}

/** Fields that nodes of a text and node records have in common. */
export const NODE_FIELDS = [
  'z',
  'symbol',
  'locked',
  'console_type',
  'console_auto_start',
  'port_name_format',
  'port_segment_size',
  'first_port_name',
  'custom_adapters',
] as const;

export interface LabNode {
  name: string;
  /** Former name: the node is renamed. */
  was?: string;
  /** Neutral name of the kind, or the one of existing tools. Either `kind` or `template` is present. */
  kind?: string;
  /** Name or id. */
  template?: string;
  /** Name or id of the compute; `auto`: the most suitable. */
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
  /** As in the kind's schema, including texts that become files of the node. */
  properties: Record<string, unknown>;
  /** `10.0.0.1/24`, or with a gateway after a space; becomes the beginning of the start-up text. */
  addresses?: string[];
  /** Start-up text after the addresses; the kind defines the property that takes it. */
  startup?: string;
  /** Texts of files of the node, by their names below its directory. */
  files?: Record<string, string>;
}

/**
 * A port of a node. `port`: name, short name, `adapter/port`, or index in the node's list from 0. Absent: the only
 * one.
 */
export interface LabEnd {
  node: string;
  port?: string;
}

export interface LabLink extends LabValues<typeof LINK_IN_LAB> {
  ends: [LabEnd, LabEnd];
  /** Parameters by name; `delay>` acts from the first end to the second only, `delay<` in the other direction. */
  filters: Filters;
}

/** Drawings have no names: equal ones are the same drawing. */
export interface LabDrawing {
  svg: string;
  x: number;
  y: number;
  z: number;
  /** Degrees. */
  rotation: number;
  locked?: boolean;
}

/** A lab text, and files that it names. */
export interface LabInput {
  text: string;
  files: GivenFiles;
  /** Simulate network systems without a template. */
  simulate?: boolean;
  /** Nodes may use what the server's machine has. */
  local?: boolean;
}

/** Place in a text. `field`: as in errors; empty: the text itself. */
export interface LabPlace {
  line: number;
  column: number;
  field: string;
  /** Included file; absent: the text itself. */
  file?: string;
}

/** Path of keys to a value of a lab: `['nodes', 'PC1', 'kind']`, `['links', 3]`. */
export type LabPath = readonly PropertyKey[];
export type PlaceOf = (path: LabPath) => LabPlace;
export type ProblemAt = (path: LabPath, problem: string) => TopologError;

export interface LabReading {
  lab: Lab;
  /** Sentences about what is interpreted differently from the text. */
  notes: string[];
  /** Place of a value of the lab in the text. */
  placeOf: PlaceOf;
}

/**
 * Finds problems that depend on the server, such as kinds and ports. Links and stages come with their indexes in the
 * text.
 */
export type CheckLab = (
  lab: {
    nodes: readonly LabNode[];
    links: readonly (readonly [number, LabLink])[];
    /** Absent: not given, or some of them are wrong. */
    checks?: readonly CheckForm[];
    stages: readonly (readonly [number, StageForm])[];
  },
  problemAt: ProblemAt,
) => readonly TopologError[];

/** A format of lab texts. A text that cannot be read is refused with line, field, and what would be right. */
export interface LabFormat {
  /** `look`: called when the text is refused anyway, to report all problems at once. */
  read(given: LabInput, look?: CheckLab): LabReading;
  /** `notes`: what the format cannot express. */
  write(lab: Lab): { text: string; notes: string[] };
  /** Whether a file of this name has this format. */
  isNamed(file: string): boolean;
  /** Files that a text needs beside it, also by what it includes of `files`; none for a text that cannot be read. */
  filesNamed(text: string, files?: GivenFiles): string[];
}
