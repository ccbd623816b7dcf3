import type { Stage } from './stage.ts';

/** A lab in which PC1, 10.0.0.1, and PC2, 10.0.0.2, are linked and run. `lab`: its path at the server. */
export const twoComputers = async (
  stage: Pick<Stage, 'lab' | 'send'>,
  name: string,
): Promise<{ readonly lab: string; readonly linkId: string; readonly ids: readonly string[] }> => {
  const lab = await stage.lab(name);
  const ids: string[] = [];
  for (const n of [1, 2]) {
    const properties = { startup_script: `set pcname PC${n}\nip 10.0.0.${n}/24\n` };
    const body = { name: `PC${n}`, node_type: 'vpcs', compute_id: 'local', x: 300 * n - 450, y: 0, properties };
    ids.push((await stage.send<{ node_id: string }>('POST', `${lab}/nodes`, body)).node_id);
  }
  const nodes = ids.map((node_id) => ({ node_id, adapter_number: 0, port_number: 0 }));
  const { link_id: linkId } = await stage.send<{ link_id: string }>('POST', `${lab}/links`, { nodes });
  await stage.send('POST', `${lab}/nodes/start`, {});
  return { lab, linkId, ids };
};
