import { messageOf } from '../errors.ts';
import type { FabricEvent } from '../emulators/fabric-keeper.ts';
import type { Commands } from './commands.ts';
import { appendOne, type LabContext, SYSTEM_CALLER } from './context.ts';
import { Directory } from './directory.ts';
import { drawingCommands } from './drawing-commands.ts';
import { linkCommands } from './link-commands.ts';
import { nodeCommands } from './node-commands.ts';
import { portCommands } from './port-commands.ts';
import { projectCommands } from './project-commands.ts';
import { ProjectWriter } from './project-writer.ts';
import { recover, type Recovered } from './recover.ts';
import { Refusals } from './refusals.ts';

export interface Lab {
  commands: Commands;
  /** At the start, and after a fabric was replaced. `resume` false: what died stays stopped. */
  recover(resume: boolean): Promise<Recovered>;
  /** Opens what is to be open when the server starts; a project that cannot be opened is reported. */
  openAutomatic(): Promise<void>;
  /** Something happened in the fabric that no command asked for. */
  heard(event: FabricEvent): void;
  close(): Promise<void>;
}

/** All commands over one set of actors. */
export const createLab = (context: LabContext, directory: Directory = new Directory(context)): Lab => {
  const writer = new ProjectWriter(context);
  const refusals = new Refusals(context);

  context.engines.onExit(({ node_id, code, signal, output }) => {
    const observed = directory.findNode(node_id)?.observe('node.exited', { code, signal, output });
    observed?.catch((error: unknown) =>
      context.report(`the end of node ${node_id} is not on record: ${messageOf(error)}`),
    );
  });

  return {
    commands: {
      ...projectCommands(context, directory, writer),
      ...nodeCommands(context, directory),
      ...linkCommands(context, directory),
      ...portCommands(context, directory),
      ...drawingCommands(context),
      refused: (caller, refusal) => refusals.add(caller, refusal),
    },

    async recover(resume) {
      const open = context.committed.projects().filter(({ state }) => state !== 'closed');
      const recovered = await recover(context, directory, resume);
      // Their last changes may not have reached their files.
      for (const { project_id } of open) writer.touch(project_id);
      return recovered;
    },

    async openAutomatic() {
      for (const record of context.committed.projects()) {
        if (!record.auto_open || record.state !== 'closed') continue;
        await directory
          .project(record)
          .open(SYSTEM_CALLER)
          .catch((error: unknown) => context.report(`${record.name} could not be opened: ${messageOf(error)}`));
      }
    },

    heard(event) {
      void hear(context, directory, event).catch((error: unknown) => context.report(messageOf(error)));
    },

    async close() {
      refusals.flush();
      await writer.flushAll();
      directory.stop();
    },
  };
};

const hear = async (context: LabContext, directory: Directory, event: FabricEvent): Promise<void> => {
  switch (event.type) {
    case 'node.exited':
      // The engine that started the node reports it.
      return;
    case 'trace.finished': {
      if (context.pending.get('node', event.node_id) !== undefined)
        await appendOne(context, SYSTEM_CALLER, event.project_id, 'node.trace_finished', event);
      return;
    }
    case 'capture.failed':
      await directory.findCapture(event.port)?.broke(event.message);
  }
};
