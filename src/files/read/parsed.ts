import type { OldFile } from '../../emulators/kit/old-nodes.ts';
import type { DrawingSettings } from '../../model/drawing.ts';
import type { LinkSettings } from '../../model/link.ts';
import type { Bag } from '../fields/json.ts';
import type { CustomAdapter, Failure, Label, PlainNodeFields, ProjectSettings } from '../../events/fields.ts';

/** What a project file says, converted to the current revision and to neutral kind names. docs/reference/project-files.md */

export interface ParsedProject {
  project_id: string;
  /** Only what the file has and what could be read. */
  settings: Partial<ProjectSettings> & { name: string };
  /** Revision of the file as it was read, before conversion; 0: it had none. */
  revision: number;
  /** Program that wrote the file last. */
  version: string;
  /** As the file has it; null: it has another revision than the one that is written. So in what it holds. */
  given: Bag | null;
  /**
   * For `ProjectFields.extra`, as it is: unknown top-level keys and, under `topology`, its unknown keys, its computes, and
   * the nodes, links and drawings that could not be read. The writer gives all of it back.
   */
  extra: Record<string, unknown>;
  nodes: ParsedNode[];
  links: ParsedLink[];
  drawings: ParsedDrawing[];
  /** Also in `extra.topology.computes`. */
  computes: unknown[];
  /** Files that old programs kept elsewhere than their nodes look for them, by `node_id`; see node-files.ts. */
  oldFiles: ReadonlyMap<string, readonly OldFile[]>;
  /** Sentences for the user: what was left out or replaced. The nodes' problems are in the nodes. */
  warnings: string[];
}

/** null in a field that the kind can fill (label, symbol, sizes, port naming, console_type): take the kind's default. */
export interface ParsedNode extends PlainNodeFields {
  node_id: string;
  /** Neutral token; the file's own word when no kind has that name. */
  kind: string;
  name: string;
  compute_id: string;
  template_id: string | null;
  console: number | null;
  console_type: string | null;
  /** As in the file, unknown keys included. */
  properties: Record<string, unknown>;
  label: Label | null;
  symbol: string | null;
  width: number | null;
  height: number | null;
  port_name_format: string | null;
  port_segment_size: number | null;
  first_port_name: string | null;
  custom_adapters: CustomAdapter[];
  /** Unknown keys, and the values of known keys that could not be read (null: required and missing). */
  extra: Record<string, unknown>;
  given: Bag | null;
  /** Why the node cannot run as it is; null when it is well. */
  problem: Failure | null;
}

export interface ParsedLinkEnd {
  node_id: string;
  adapter_number: number;
  port_number: number;
  label: Label | null;
}

export interface ParsedLink extends LinkSettings {
  link_id: string;
  /** Two ends, whose nodes are among the project's. Whether the ports exist is not known here. */
  nodes: ParsedLinkEnd[];
  extra: Record<string, unknown>;
  given: Bag | null;
}

/** `svg`: SVG text, or the name of a file in `project-files/images` (see `readDrawingImages`). */
export interface ParsedDrawing extends DrawingSettings {
  drawing_id: string;
  extra: Record<string, unknown>;
  given: Bag | null;
}
