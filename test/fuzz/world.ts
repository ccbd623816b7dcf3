import type { Random } from '../faults/prng.ts';

/**
 * What a fuzzer knows to exist, or to have existed. It chooses all ids itself, so that the same seed makes the same requests
 * whatever the server answers.
 */

export interface KnownNode {
  node_id: string;
  kind: string;
}
export interface Lab {
  project_id: string;
  nodes: KnownNode[];
  links: string[];
  drawings: string[];
}
/** A request that makes part of a lab. */
interface Step {
  path: string;
  body: Record<string, unknown>;
}

/** How many labs are in reach of requests at once; older ones are deleted. */
const LABS = 5;
const KINDS = [
  'simple_pc',
  'simple_pc',
  'simple_pc',
  'ethernet_switch',
  'ethernet_hub',
  'trace_tool',
  'frame_relay_switch',
];
const OTHERS = ['nat', 'cloud', 'atm_switch', 'machine_emulator', 'container', 'router_emulator', 'desktop_vm_a'];
/** What a node of some kinds cannot be made without. */
const NEEDED: Readonly<Record<string, object>> = {
  container: { image: 'debian' },
  router_emulator: { platform: 'c3725', image: 'c3725.image', ram: 128 },
  desktop_vm_a: { vmname: 'VM' },
};
const NODES = 12;
const LINKS = 4;
const DRAWINGS = 3;

export class World {
  readonly labs: Lab[] = [];
  readonly templates: string[] = [];

  /** A new lab, with the requests that make it and the projects that are to go for it. */
  grow(random: Random): { steps: Step[]; gone: string[] } {
    const lab: Lab = {
      project_id: random.uuid(),
      nodes: Array.from({ length: NODES }, (_, i) => ({
        node_id: random.uuid(),
        kind: i < 4 ? 'simple_pc' : i === 4 ? 'ethernet_switch' : (random.pick([...KINDS, ...OTHERS]) ?? 'nat'),
      })),
      links: Array.from({ length: LINKS }, () => random.uuid()),
      drawings: Array.from({ length: DRAWINGS }, () => random.uuid()),
    };
    this.labs.push(lab);
    const gone = this.labs.splice(0, this.labs.length - LABS).map(({ project_id }) => project_id);
    const at = `/v2/projects/${lab.project_id}`;
    const steps = [
      { path: '/v2/projects', body: { name: `lab ${lab.project_id}`, project_id: lab.project_id } },
      { path: `${at}/batch`, body: { steps: contentOf(lab) } },
      ...lab.nodes.slice(0, 3).map(({ node_id }) => ({ path: `${at}/nodes/${node_id}/start`, body: {} })),
    ];
    return { steps, gone };
  }

  lab(random: Random): Lab | undefined {
    // The newest are the likeliest to be whole.
    return this.labs[Math.max(random.below(this.labs.length), random.below(this.labs.length))];
  }
}

const contentOf = ({ nodes, links, drawings }: Lab): object[] => {
  const created = (type: string, record: object) => ({ action: 'create', type, record });
  const end = (at: number, port_number: number) => ({ node_id: nodes[at]?.node_id, adapter_number: 0, port_number });
  return [
    ...nodes.map(({ node_id, kind }) =>
      created('node', {
        ...{ name: `N${node_id.slice(0, 4)}`, node_type: kind, node_id, compute_id: 'local' },
        properties: { ...NEEDED[kind] },
      }),
    ),
    // A PC each at the first ports of the switch.
    ...links.map((link_id, i) => created('link', { link_id, nodes: [end(i, 0), end(4, i)] })),
    ...drawings.map((drawing_id, i) =>
      created('drawing', { drawing_id, x: i, svg: '<svg width="9" height="9"></svg>' }),
    ),
  ];
};
