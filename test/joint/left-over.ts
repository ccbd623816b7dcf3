import { readdir } from 'node:fs/promises';
import { LABELS } from '../../src/emulators/container/containers.ts';
import { openService } from '../../src/emulators/container/service.ts';
import { findMarked } from '../../src/processes/marker.ts';
import { findFabrics } from '../../src/fabric/client/fabric-process.ts';
import { networkOf } from '../support/podman.ts';
import type { JointLab } from './joint-lab.ts';

/** Everything that this machine has of a lab's nodes, in words; empty when nothing is left. */
export const leftOfNodes = async (lab: JointLab): Promise<string[]> => {
  const { mark, project_id } = lab;
  const processes = await findMarked(mark);
  const networks = await Promise.all(Object.values(lab.ids).map((node_id) => networkOf({ node_id, project_id }, mark)));
  const containers = await openService(lab.podman.socket).call<{ Id: string; Names: string[] }[] | null>(
    'GET',
    '/containers/json',
    { query: { all: true, filters: JSON.stringify({ label: [`${LABELS.data}=${mark}`] }) } },
  );
  return [
    ...processes.map(({ pid, argv }) => `process ${pid}: ${argv.join(' ')}`),
    ...networks.flat().map((name) => `interface or network namespace ${name}`),
    ...(containers ?? []).map(({ Id, Names }) => `container ${Names.join()} ${Id}`),
    // Of the fabric: its socket, and the number of its process.
    ...(await entries(lab.runtimeDir)).filter((name) => !/^[0-9a-f]{20}\./.test(name)).map((name) => `socket ${name}`),
    // Of programs that become somebody else, who may not enter our directory.
    ...(await entries('/tmp')).filter((name) => name.includes(mark)).map((name) => `socket /tmp/${name}`),
  ];
};

/** The same once its server has ended. */
export const leftOfServer = async (lab: JointLab): Promise<string[]> => [
  ...(await leftOfNodes(lab)),
  ...(await findFabrics(lab.dataDir)).map((pid) => `fabric ${pid}`),
  ...(await entries(lab.runtimeDir)).map((name) => `socket ${name}`),
];

const entries = (directory: string): Promise<string[]> => readdir(directory).catch(() => []);
