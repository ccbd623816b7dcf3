import type { Stage } from './stage.ts';
import { nodeOf } from './walk.ts';

export interface Made {
  /** Path at the server. */
  readonly at: string;
  readonly ids: ReadonlyMap<string, string>;
  readonly links: readonly string[];
}

/** A lab of PCs at a switch, with addresses 10.0.0.1 and so on, that is shown; `started`: its PCs run. */
export const showLab = async (stage: Stage, name: string, pcs: number, started = true): Promise<Made> => {
  const at = await stage.lab(name);
  const ids = new Map<string, string>();
  const add = async (called: string, node_type: string, x: number, y: number): Promise<void> => {
    const body = { name: called, node_type, compute_id: 'local', x, y };
    ids.set(called, (await stage.send<{ node_id: string }>('POST', `${at}/nodes`, body)).node_id);
  };
  await add('SW', 'ethernet_switch', 0, 150);
  const links: string[] = [];
  for (let n = 1; n <= pcs; n++) {
    await add(`PC${n}`, 'vpcs', (n - (pcs + 1) / 2) * 200, -100);
    const id = ids.get(`PC${n}`) ?? '';
    const ends = [
      { node_id: id, adapter_number: 0, port_number: 0 },
      { node_id: ids.get('SW') ?? '', adapter_number: 0, port_number: n - 1 },
    ];
    links.push((await stage.send<{ link_id: string }>('POST', `${at}/links`, { nodes: ends })).link_id);
    const script = await fetch(`${stage.server.url}${at}/nodes/${id}/files/startup.vpc`, {
      ...{ method: 'POST', body: `ip 10.0.0.${n}/24\n` },
    });
    if (!script.ok) throw new Error(`the startup script: ${script.status} ${await script.text()}`);
    if (started) await stage.send('POST', `${at}/nodes/${id}/start`, {});
  }
  await stage.page.goto(`${stage.server.url}/#${at.replace('/v2', '')}`);
  await nodeOf(stage.page, `PC${pcs}`)
    .locator(`.lab-node.${started ? 'started' : 'stopped'}`)
    .waitFor();
  return { at, ids, links };
};
