import { labCommand } from '../lab/lab-command.ts';
import { shortName } from '../names.ts';
import { nodesIn, nodesOf, projectNamed } from '../lab/things.ts';

/** `topolog consoles` */
export const consolesCommand = labCommand(
  'consoles [PROJECT]',
  [0, 1],
  `Lists the consoles of a project, or of all that are opened, a line each: node, type, host, port. Nothing listens there while a node is stopped.`,
  async ({ client, wanted: [wanted] }) => {
    const nodes =
      wanted === undefined ? await nodesOf(client) : await nodesIn(client, await projectNamed(client, wanted));
    const found = nodes.flatMap((named) => {
      const { console, console_type, console_host, node_id } = named.node;
      if (console === null || console_type === 'none') return [];
      return [{ name: shortName(nodes, named), node_id, console_type, console_host, console }];
    });
    return {
      records: found,
      rows: found.map((one) => [one.name, one.console_type, one.console_host, String(one.console)]),
    };
  },
);
