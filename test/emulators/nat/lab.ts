import assert from 'node:assert/strict';
import { type Api, type Bag, id } from '../../api/api.ts';
import { type Console, openConsole } from '../../support/console.ts';

const PROMPT = /> $/;

/** PCs behind a NAT node with these properties, as many at each of its ports as `counts` says. Their consoles are at the prompt. */
export const pcsBehind = async (api: Api, properties: Bag, counts: readonly number[]): Promise<Console[]> => {
  const project_id = await api.project();
  const make = async (name: string, node_type: string, more: Bag = {}): Promise<string> => {
    const body = { compute_id: 'local', name, node_type, ...more };
    return id(await api.get(201, 'POST /v2/projects/{project_id}/nodes', { project_id }, body));
  };
  const link = (one: [string, number], other: [string, number]): Promise<Bag> => {
    const nodes = [one, other].map(([node_id, port_number]) => ({ node_id, adapter_number: 0, port_number }));
    return api.get(201, 'POST /v2/projects/{project_id}/links', { project_id }, { nodes });
  };
  const nat = await make('NAT', 'nat', { properties });
  const read = await api.get(200, 'GET /v2/projects/{project_id}/nodes/{node_id}', { project_id, node_id: nat });
  assert.equal(read['status'], 'started');
  const consoles: Console[] = [];
  for (const [port, count] of counts.entries()) {
    const hub = await make(`hub${port}`, 'ethernet_hub');
    await link([nat, port], [hub, 0]);
    for (let n = 1; n <= count; n += 1) {
      const pc = await make(`PC${port}-${n}`, 'vpcs');
      await link([hub, n], [pc, 0]);
      const at = { project_id, node_id: pc };
      const started = await api.get(200, 'POST /v2/projects/{project_id}/nodes/{node_id}/start', at);
      const console = await openConsole(Number(started['console']));
      await console.until(PROMPT);
      consoles.push(console);
    }
  }
  return consoles;
};

/** What a PC sends to this address and port comes back, over UDP and over TCP. */
export const echoes = async (console: Console, address: string, port: number): Promise<void> => {
  const of = address.replaceAll('.', String.raw`\.`);
  assert.match(await console.type(`ping ${address} -2 -p ${port} -c 1`, PROMPT), new RegExp(`bytes from ${of}`));
  assert.match(
    await console.type(`ping ${address} -3 -p ${port} -c 1`, PROMPT),
    new RegExp(`Connect +${port}@${of} seq=1`),
  );
};
