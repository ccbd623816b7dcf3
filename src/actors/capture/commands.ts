import path from 'node:path';
import { confined } from '../../common/file.ts';
import { conflict, invalid } from '../../common/errors.ts';
import type { Capture, Port } from '../../events/fields.ts';
import type { NodeRecord, ProjectRecord } from '../../projections/records.ts';
import { type LabContext, nodeOf, openProjectOf, recordOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import { linkOf } from '../link/decide.ts';
import { kindOf } from '../node/fields.ts';
import { portAt, portOf } from '../port/ports.ts';
import type { CaptureCommands, CaptureInput } from './interface.ts';

/** The file a capture asked for goes to. Names from clients are bare file names: nothing leaves the captures directory. */
const captureFor = async (
  project: ProjectRecord,
  port: Port,
  input: CaptureInput,
  fallback: string,
): Promise<Capture> => {
  const wished = input.capture_file_name ?? fallback;
  if (wished !== path.basename(wished) || /[\\/\0]/.test(wished) || wished === '.' || wished === '..')
    throw invalid('capture_file_name must be a file name without directories', { field: 'capture_file_name' });
  const file_name = path.extname(wished) === '' ? `${wished}.pcap` : wished;
  const data_link_type = input.data_link_type ?? Object.values(port.data_link_types)[0] ?? 'DLT_EN10MB';
  const file = path.join(project.path, 'project-files', 'captures', file_name);
  // A link can have come with the project.
  if ((await confined(project.path, file)) === null)
    throw conflict(`${file} leads out of the project; remove the link`, { field: 'capture_file_name' });
  return { file_name, path: file, data_link_type };
};

/** `PC1_0-0_to_Switch1_0-3.pcap`, of letters, digits, _ and - only. */
const captureName = (ends: { node: NodeRecord; adapter_number: number; port_number: number }[]): string =>
  `${ends
    .map((e) => `${e.node.name}_${e.adapter_number}-${e.port_number}`)
    .join('_to_')
    .replace(/[^0-9A-Za-z_-]/g, '')}.pcap`;

export const captureCommands = (directory: Directory): CaptureCommands => ({
  ...atPorts(directory),
  ...onLinks(directory),
  flushCapture: (port) => directory.context.plumbing.flushCapture(port),
});

const atPorts = (directory: Directory): Pick<CaptureCommands, 'startNodeCapture' | 'stopNodeCapture'> => {
  const { context } = directory;
  return {
    async startNodeCapture(caller, at, input) {
      const { node, port } = portAt(context, at);
      const project = openProjectOf(context.pending, at.project_id);
      if (input.capture_file_name === undefined)
        throw invalid('capture_file_name is needed', { field: 'capture_file_name' });
      if (kindOf(context, node.kind).capabilities.capture_needs_started && node.state !== 'started')
        throw conflict(`${node.name} is not started`);
      const capture = await captureFor(project, port, input, 'capture.pcap');
      await directory.startCapture({ ...at, link_id: null }, caller, capture);
      return capture;
    },

    async stopNodeCapture(caller, at) {
      portAt(context, at);
      const capture = directory.findCapture(at);
      if (capture?.port.link_id === null) await capture.end(caller);
    },
  };
};

const onLinks = (directory: Directory): Pick<CaptureCommands, 'startLinkCapture' | 'stopLinkCapture'> => {
  const { context } = directory;
  const { pending, committed } = context;
  return {
    async startLinkCapture(caller, at, input) {
      const { project_id, link_id } = at;
      const project = openProjectOf(pending, project_id);
      const ends = linkOf(pending, at).nodes.map((end) => ({ ...end, node: nodeOf(pending, { ...end, project_id }) }));
      const chosen = captureEnd(context, ends);
      const port = chosen && portOf(context, chosen.node, chosen);
      if (chosen === undefined || port === undefined)
        throw conflict('there is no running node on this link: start one of its ends first');
      const { node_id, adapter_number, port_number } = chosen;
      const capture = await captureFor(project, port, input, captureName(ends));
      await directory.startCapture({ project_id, link_id, node_id, adapter_number, port_number }, caller, capture);
      return recordOf(committed, 'link', link_id);
    },

    async stopLinkCapture(caller, at) {
      const record = linkOf(pending, at);
      if (record.capture !== null) {
        const capture = directory.findCapture(record.capture);
        if (capture?.port.link_id === at.link_id) await capture.end(caller);
      }
      return recordOf(committed, 'link', at.link_id);
    },
  };
};

/** An always-on end that runs, or else any that runs. */
const captureEnd = <E extends { node: NodeRecord }>(context: LabContext, ends: E[]): E | undefined => {
  const running = ends.filter((e) => e.node.state === 'started');
  return running.find((e) => context.kinds.get(e.node.kind)?.capabilities.always_on === true) ?? running[0];
};
