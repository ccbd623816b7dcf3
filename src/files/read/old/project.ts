import { MOST, MOST_ITEMS } from '../../../common/bounds.ts';
import type { OldFile } from '../../../emulators/kit/old-nodes.ts';
import type { Steps } from '../../../common/slices.ts';
import { derivedId } from '../../fields/identity.ts';
import { type Bag, isBag, listOf, quoted, refused } from '../../fields/json.ts';
import { convertDrawings } from './drawings.ts';
import { convertLinks } from './links.ts';
import { convertNodes, type OldKinds } from './nodes.ts';
import { bagsIn, between, whole } from './values.ts';

export interface OldProject {
  /** As revision 5 has it. */
  project: Bag;
  /** Files that lie elsewhere than their nodes look for them, by `node_id`. */
  files: Map<string, readonly OldFile[]>;
  warnings: string[];
}

/**
 * A project file of revisions 1 to 4, or of none (programs 1.0 to 1.5), in the form of revision 5. What it says of ids, ports and settings
 * is taken; what it does not say is guessed with a warning. Pure: ids that it lacks are derived, so that reading twice gives the same.
 */
export function* convertOldProject(file: Bag, projectId: string, kinds: OldKinds): Steps<OldProject> {
  const topology = file.topology ?? {};
  if (!isBag(topology)) throw refused('topology must be an object');
  const warnings: string[] = [];
  const listed = (key: string, most: number): Bag[] =>
    bagsIn(listOf(topology, key, most), (count) =>
      warnings.push(`${count} of the ${key} were left out: they are no objects`),
    );
  const strange = Object.keys(topology).filter((key) => !LISTS.has(key));
  if (strange.length > 0) warnings.push(`left out of the topology, as nothing knows them: ${quoted(strange)}`);
  const servers = serversOf(projectId, listed('servers', MOST_ITEMS));
  const links = listed('links', MOST.link);
  const nodes = yield* convertNodes(
    {
      id: projectId,
      kinds,
      computeOf: (id) => servers.ids.get(id),
      linked: new Set(links.flatMap((link) => [link.source_port_id, link.destination_port_id])),
    },
    listed('nodes', MOST.node),
  );
  const converted = yield* convertLinks(projectId, links, nodes);
  const [ellipses = [], rectangles = [], images = [], notes = []] = DRAWINGS.map((key) => listed(key, MOST.drawing));
  return {
    project: {
      ...settingsOf(file, warnings),
      project_id: projectId,
      topology: {
        nodes: nodes.nodes.map(({ entry }) => entry),
        links: converted.links,
        drawings: convertDrawings(projectId, { ellipses, rectangles, images, notes }),
        computes: servers.computes,
      },
    },
    files: nodes.files,
    warnings: [...warnings, ...nodes.warnings, ...converted.warnings],
  };
}

/** `instances`: rented machines with their private keys, which nobody is to see. */
const LISTS = new Set(['servers', 'nodes', 'links', 'instances', 'ellipses', 'rectangles', 'images', 'notes']);
const DRAWINGS = ['ellipses', 'rectangles', 'images', 'notes'];

const SETTINGS = ['auto_start', 'auto_open', 'auto_close'];
/** Read apart, or of a service that is no more. */
const HANDLED = new Set(['project_id', 'revision', 'topology', 'resources_type']);

const settingsOf = (file: Bag, warnings: string[]): Bag => {
  const entries = Object.entries(file).filter(([key]) => !HANDLED.has(key));
  const known = new Set(['name', 'type', 'version', ...SETTINGS]);
  const strange = entries.filter(([key]) => !known.has(key)).map(([key]) => key);
  if (strange.length > 0) warnings.push(`left out of the project, as nothing knows them: ${quoted(strange)}`);
  return Object.fromEntries(entries.filter(([key]) => known.has(key)));
};

/** Users of servers are left out, and so are private keys of rented machines. */
const serversOf = (projectId: string, list: readonly Bag[]): { ids: Map<unknown, string>; computes: Bag[] } => {
  const ids = new Map<unknown, string>();
  const computes = new Map<string, Bag>();
  for (const { id, local, vm, host, port, protocol } of list) {
    if (local === true || vm === true) {
      ids.set(id, local === true ? 'local' : 'vm');
      continue;
    }
    const place = {
      protocol: protocol === 'https' ? 'https' : 'http',
      host: typeof host === 'string' && host !== '' ? host : 'localhost',
      port: whole(between(port, 1, 65535, 3080), 3080),
    };
    const compute_id = derivedId(projectId, 'compute', place.protocol, place.host, place.port);
    ids.set(id, compute_id);
    if (!computes.has(compute_id)) computes.set(compute_id, { compute_id, name: `Remote ${String(id)}`, ...place });
  }
  return { ids, computes: [...computes.values()] };
};
