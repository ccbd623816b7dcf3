import { PORTS, type Texts } from '../kit/texts.ts';

export const texts: Texts = {
  ports_mapping: { ...PORTS, help: 'Where each port leads: to an interface of the compute, or to a UDP tunnel.' },
  interfaces: { title: 'Interfaces', help: 'Those of the compute, as it lists them.', widget: 'none' },
  remote_console_host: {
    title: 'Console host',
    help: 'Where the console of what is outside can be reached.',
    group: 'Console',
  },
  remote_console_port: { title: 'Console port', help: 'TCP port of that console.', group: 'Console' },
  remote_console_type: { title: 'Console type', help: 'How that console is spoken to.', group: 'Console' },
  remote_console_http_path: {
    title: 'Console path',
    help: 'Path of a console that is a web page.',
    group: 'Console',
  },
};
