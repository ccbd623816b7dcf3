import type { Lab } from '../../store/lab.ts';

/** A text that is a file of a node; empty where there is none yet. Throws what the server says. */
export const readText = async (lab: Lab, nodeId: string, file: string, signal?: AbortSignal): Promise<string> => {
  const stream = await lab.client.get('/v2/projects/{project_id}/nodes/{node_id}/files/{path}', {
    path: { project_id: lab.projectId, node_id: nodeId, path: file.replace('{node_id}', nodeId) },
    query: { if_missing: 'empty' },
    ...(signal === undefined ? {} : { signal }),
  });
  // An answer without a byte is none.
  return typeof stream === 'object' ? new Response(stream).text() : '';
};
