import { release } from 'node:os';
import type { Api } from '../../api.ts';

/** State of the server in lines: versions, machine, engines, projects with their nodes and links. Names and states only, no settings. */
export const debugText = async (api: Api): Promise<string> => {
  const [engines, statistics] = await Promise.all([api.engines(), api.host.statistics()]);
  const { host, port } = api.address();
  return [
    `Topolog ${api.version}, Node.js ${process.version}, ${process.platform} ${release()} ${process.arch}`,
    `Process ${process.pid}, up ${Math.round(process.uptime())} s, listens on ${host} port ${port}`,
    `Health: ${JSON.stringify(api.health())}`,
    `Memory of the process: ${JSON.stringify(process.memoryUsage())}`,
    `Statistics: ${JSON.stringify(statistics)}`,
    '',
    'Engines:',
    ...engines.map(
      ({ kind, engine, available, version, missing }) =>
        `  ${kind}/${engine}: ${available ? (version ?? 'available') : `needs ${missing?.needs ?? 'something'}`}`,
    ),
    '',
    'Projects:',
    ...api.records.projects().flatMap((project) => [
      `  ${project.project_id} ${JSON.stringify(project.name)}: ${project.state}`,
      ...api.records.ofProject('node', project.project_id).map((n) => {
        const failure = n.failure === null ? '' : `, ${n.failure.code}`;
        return `    node ${n.node_id} ${JSON.stringify(n.name)} (${n.kind}, ${n.engine ?? 'no engine yet'}): ${n.state}${failure}`;
      }),
      `    links: ${api.records.ofProject('link', project.project_id).length}`,
    ]),
    '',
  ].join('\n');
};
