import { randomUUID } from 'node:crypto';
import { Mailboxes } from '../../common/mailbox.ts';
import { readLab } from '../../files/lab/lab-texts.ts';
import { SYSTEM_CALLER } from '../context.ts';
import type { Directory } from '../directory.ts';
import { Applying, type Others } from './apply.ts';
import { ended } from './end.ts';
import type { LabTextCommands, LabTextInput } from './interface.ts';
import { lookAtLab } from './look.ts';
import { planOf, projectFor, workFor } from './plan.ts';

export interface LabTexts extends LabTextCommands {
  /** At the start: does what is left of a text that was being applied to a project. `resume`: nodes start again. */
  endApplied: (projectId: string, resume: boolean) => Promise<void>;
}

/** A text and a lab: what would make the lab what the text says, and doing it. */
export const labTextCommands = (directory: Directory, others: Others): LabTexts => {
  const { context } = directory;
  // One at a time in a lab, also in one that is made: a second one sees what the first has made.
  const names = new Mailboxes();
  const projects = new Mailboxes();
  const read = (input: LabTextInput) =>
    readLab(input.format, { ...input, local: context.settings.local }, lookAtLab(context));
  return {
    async planLab({ lint = false, ...input }) {
      const reading = await read(input);
      const project = projectFor(context, reading, input);
      return planOf(reading, project, await workFor(context, reading, project, { lint }));
    },
    async applyLab(caller, { start = false, ...input }) {
      const reading = await read(input);
      return names.run(reading.lab.name, () => {
        const project = projectFor(context, reading, input);
        const projectId = project?.project_id ?? randomUUID();
        const asked = { directory, others, caller, input, reading, projectId, isMade: project === null };
        const applying = new Applying(asked);
        return projects.run(projectId, () => applying.run(start));
      });
    },
    async endApplied(projectId, resume) {
      const failure = { code: 'interrupted', message: 'the server ended before the lab was what the text says' };
      await projects.run(projectId, () =>
        ended({ directory, others, caller: SYSTEM_CALLER, projectId, failure, resume }),
      );
    },
  };
};
