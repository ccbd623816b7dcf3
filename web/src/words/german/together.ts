/** Others who look at the same lab. */
export const together = {
  'Ask all to follow you': 'Alle bitten, Ihnen zu folgen',
  Follow: 'Folgen',
  'Follow {name}': '{name} folgen',
  'Not now': 'Jetzt nicht',
  'Stop following': 'Nicht mehr folgen',
  'Who is with you': 'Wer bei Ihnen ist',
  'With you: {names}': 'Bei Ihnen: {names}',
  'You follow {name}': 'Sie folgen {name}',
  '{name} asks you to follow': '{name} bittet Sie zu folgen',
} as const;
