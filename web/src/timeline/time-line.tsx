import type { ReactElement } from 'react';

/** The session as a bar; sets `lab.past`. */
const TimeLine = (): ReactElement | null => null;
export default TimeLine;
