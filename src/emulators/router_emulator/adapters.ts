/** Cards of the emulated routers: what their ports are called, and how many they have. */
export interface Card {
  type: 'Ethernet' | 'FastEthernet' | 'GigabitEthernet' | 'Serial' | 'ATM' | 'POS';
  ports: number;
}

const card = (type: Card['type'], ports: number): Card => ({ type, ports });

/** Cards of the slots. */
export const ADAPTERS: Readonly<Record<string, Card>> = {
  'C1700-MB-1FE': card('FastEthernet', 1),
  'C1700-MB-WIC1': card('Ethernet', 0),
  'C2600-MB-1E': card('Ethernet', 1),
  'C2600-MB-2E': card('Ethernet', 2),
  'C2600-MB-1FE': card('FastEthernet', 1),
  'C2600-MB-2FE': card('FastEthernet', 2),
  'GT96100-FE': card('FastEthernet', 2),
  'Leopard-2FE': card('FastEthernet', 2),
  'NM-1E': card('Ethernet', 1),
  'NM-4E': card('Ethernet', 4),
  'NM-1FE-TX': card('FastEthernet', 1),
  'NM-16ESW': card('FastEthernet', 16),
  'NM-4T': card('Serial', 4),
  'C7200-IO-FE': card('FastEthernet', 1),
  'C7200-IO-2FE': card('FastEthernet', 2),
  'C7200-IO-GE-E': card('GigabitEthernet', 1),
  'PA-FE-TX': card('FastEthernet', 1),
  'PA-2FE-TX': card('FastEthernet', 2),
  'PA-4E': card('Ethernet', 4),
  'PA-8E': card('Ethernet', 8),
  'PA-GE': card('GigabitEthernet', 1),
  'PA-4T+': card('Serial', 4),
  'PA-8T': card('Serial', 8),
  'PA-A1': card('ATM', 1),
  'PA-POS-OC3': card('POS', 1),
};

/** Interface cards, which sit in the main board. */
export const WICS: Readonly<Record<string, Card>> = {
  'WIC-1T': card('Serial', 1),
  'WIC-2T': card('Serial', 2),
  'WIC-1ENET': card('Ethernet', 1),
};
