import type { AnyDraft } from '../events/facts.ts';
import { draft, type LabContext, SYSTEM_CALLER } from './context.ts';
import { consolesInUse, freeConsole, hasConsolePort } from './node-fields.ts';

/** While a project was closed another may have taken its console ports: those nodes get free ones. */
export const leaseConsoles = async (
  context: LabContext,
  projectId: string,
  cause: number | null,
  warn: (message: string) => void,
): Promise<void> => {
  const used = consolesInUse(context.pending, projectId);
  const drafts = context.pending.ofProject('node', projectId).flatMap((node): AnyDraft[] => {
    const { node_id, project_id, name, console: wished } = node;
    const needed = hasConsolePort(node.console_type) && (wished === null || used.has(wished));
    const port = needed ? freeConsole(context, used) : wished;
    if (port !== null) used.add(port);
    if (port === wished) return [];
    if (wished !== null) warn(`console port ${wished} of ${name} is taken; it has ${port ?? 'none'} now`);
    return [
      draft(SYSTEM_CALLER, projectId, 'node.updated', { node_id, project_id, changes: { console: port } }, cause),
    ];
  });
  if (drafts.length > 0) await context.log.append(drafts);
};
