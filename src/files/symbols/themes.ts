/** Themes: sets of similar symbols, with the symbol of each role. */

/** Roles, with the name of their symbol in the classic set and in the others. */
const ROLES: Readonly<Record<string, readonly [plain: string, themed: string]>> = {
  cloud: ['cloud', 'cloud'],
  ethernet_switch: ['ethernet_switch', 'switch'],
  ethernet_hub: ['hub', 'hub'],
  frame_relay_switch: ['frame_relay_switch', 'isdn'],
  atm_switch: ['atm_switch', 'atm'],
  router: ['router', 'router'],
  multilayer_switch: ['multilayer_switch', 'switch_multilayer'],
  firewall: ['firewall', 'firewall'],
  computer: ['computer', 'client'],
  vpcs_guest: ['vpcs_guest', 'vpcs'],
  qemu_guest: ['qemu_guest', 'client_vm'],
  vbox_guest: ['vbox_guest', 'virtualbox'],
  vmware_guest: ['vmware_guest', 'vmware'],
  docker_guest: ['docker_guest', 'docker'],
};

const FOLDERS = ['circle', 'square'].flatMap((shape) =>
  ['blue', 'gray', 'green', 'red'].map((colour) => `affinity/${shape}/${colour}`),
);

const PLAIN = 'Classic';

/** `affinity/circle/blue/router.svg` to `Affinity-circle-blue`. */
export const themeOf = (file: string): string => {
  const folder = file.split('/').slice(0, -1).join('-');
  return folder === '' ? PLAIN : folder.charAt(0).toUpperCase() + folder.slice(1);
};

const symbolsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(ROLES).map(([role, [plain, themed]]) => {
      const file = folder === '' ? `${plain}.svg` : `${folder}/${themed}.svg`;
      return [role, `:/symbols/${file}`];
    }),
  );

/** Symbols by theme and role. */
export const DEFAULT_SYMBOLS: Readonly<Record<string, Record<string, string>>> = Object.fromEntries(
  ['', ...FOLDERS].map((folder) => [themeOf(`${folder === '' ? '' : `${folder}/`}x.svg`), symbolsOf(folder)]),
);
