import type { ReactElement } from 'react';

/** What happened to one object: who, when, why. */
const HistorySheet = (_props: { collection: 'node' | 'link' | 'drawing'; id: string }): ReactElement | null => null;
export default HistorySheet;
