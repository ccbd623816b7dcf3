import { conflict, invalid } from '../../common/errors.ts';
import type { NodeRecord } from '../../projections/records.ts';
import { type LabContext, nodeOf, openProjectOf, recordOf } from '../context.ts';
import type { Directory } from '../directory.ts';
import { linkOf } from '../link/decide.ts';
import { kindOf } from '../node/fields.ts';
import { portAt, portOf } from '../port/ports.ts';
import { captureFor, captureName } from './captures.ts';
import type { CaptureCommands } from './interface.ts';

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
