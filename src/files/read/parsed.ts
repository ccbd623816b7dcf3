import type { OldFile } from '../../emulators/kit/old-nodes.ts';
import type { CustomAdapter, Failure, Label, ProjectSettings } from '../../events/fields.ts';
import type { DrawingSettings } from '../../model/drawing.ts';
import type { LinkSettings } from '../../model/link.ts';
import type { NodeSettings } from '../../model/node.ts';
import type { Bag } from '../fields/json.ts';

/**
 * Content of a project file, converted to the current revision and to neutral names of kinds.
 * docs/reference/project-files.md
 */

export interface ParsedProject {
  project_id: string;
  /** Settings that the file has and that are valid. */
  settings: Partial<ProjectSettings> & { name: string };
  /** Revision of the file before conversion; 0: none. */
  revision: number;
  /** Version of the program that wrote the file. */
  version: string;
  /**
   * The object in the file; null: the file has another revision than the one that is written. The same in its
   * members.
   */
  given: Bag | null;
  /**
   * Becomes `ProjectFields.extra`: unknown top-level keys and, under `topology`, its unknown keys, its computes, and
   * invalid nodes, links and drawings. All of it is written back.
   */
  extra: Record<string, unknown>;
  nodes: ParsedNode[];
  links: ParsedLink[];
  drawings: ParsedDrawing[];
  /** Also in `extra.topology.computes`. */
  computes: unknown[];
  /** Files that old programs stored elsewhere, by `node_id`; see node-files.ts. */
  oldFiles: ReadonlyMap<string, readonly OldFile[]>;
  /** Sentences about what was left out or replaced. Problems of nodes are in the nodes. */
  warnings: string[];
}

/** null in a field that the kind can fill (label, symbol, sizes, port naming, console_type): the kind's default. */
export interface ParsedNode extends NodeSettings {
  node_id: string;
  /** Neutral name of the kind; the file's own word when no kind has it. */
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
  /** Unknown keys, and invalid values of known keys (null: required and missing). */
  extra: Record<string, unknown>;
  given: Bag | null;
  /** Why the node is broken; null: it is not. */
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
  /** Two ends, whose nodes exist in the project; their ports may not. */
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
