import type { Texts } from '../kit/texts.ts';

export const CONFIG = 'startup.cfg';

export const texts: Texts = {
  port_count: { title: 'Interfaces', help: 'Number of its Ethernet interfaces.', group: 'Network' },
  startup_config: {
    title: 'Startup configuration',
    help: 'Console commands that run at every start, one a line: interface 0 ip 10.0.0.1/24, route default 10.0.0.2.',
    widget: 'code',
    file: CONFIG,
  },
};
