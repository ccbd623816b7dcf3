import type { ReactElement } from 'react';

/** The dock at the bottom: the workbench’s panels in tabs. */
const Dock = (): ReactElement | null => null;
export default Dock;
