import { createKinds } from '../../src/emulators/registry.ts';
import type { DrawingFields, LinkFields, NodeFields, ProjectFields } from '../../src/events/fields.ts';
import type { ParsedProject } from '../../src/files/read/parsed.ts';
import { readProjectFile } from '../../src/files/read/read.ts';
import { writeProjectFile } from '../../src/files/write/write.ts';
import { PROJECT_SETTINGS } from '../support/events.ts';

const kinds = createKinds();

export const KINDS = kinds.all().map(({ name }) => name);

/** Ids in order, so that reading twice gives the same. */
const countedIds = (): (() => string) => {
  let last = 0;
  return () => `00000000-0000-4000-8000-${String((last += 1)).padStart(12, '0')}`;
};

export const read = (text: string): ParsedProject => readProjectFile(text, kinds, countedIds());

export interface Fields {
  project: ProjectFields;
  nodes: NodeFields[];
  links: LinkFields[];
  drawings: DrawingFields[];
}

/** What the server makes of a file that was read: the kind's defaults stand where the file says nothing. */
export const toFields = (parsed: ParsedProject): Fields => {
  const { project_id } = parsed;
  return {
    project: {
      ...PROJECT_SETTINGS,
      ...parsed.settings,
      project_id,
      path: '/labs/one',
      filename: 'one.gns3',
      file_sha256: null,
      extra: parsed.extra,
    },
    nodes: parsed.nodes.map(({ problem, given: _g, ...node }) => ({
      ...node,
      project_id,
      console_type: node.console_type ?? 'none',
      label: node.label ?? { text: node.name, y: -40 },
      symbol: node.symbol ?? ':/symbols/computer.svg',
      width: node.width ?? 65,
      height: node.height ?? 59,
      port_name_format: node.port_name_format ?? 'Ethernet{0}',
      port_segment_size: node.port_segment_size ?? 0,
      ports: [],
      node_directory: null,
      failure: problem,
    })),
    links: parsed.links.map(({ given: _g, ...link }) => ({
      ...link,
      project_id,
      link_type: 'ethernet',
      nodes: link.nodes.map((end) => ({ ...end, label: end.label ?? { text: '0/0' } })),
    })),
    drawings: parsed.drawings.map(({ given: _g, ...drawing }) => ({ ...drawing, project_id })),
  };
};

export const write = (fields: Fields): string =>
  writeProjectFile(fields.project, fields.nodes, fields.links, fields.drawings, {
    // The properties have not been completed either.
    get: (kind) => ({
      alias: kinds.get(kind)?.alias ?? kind,
      inFile: (properties) => properties,
      own: kinds.get(kind)?.own ?? [],
    }),
  });
