import type { ReactElement } from 'react';

/** A link’s filters, traffic and capture. */
const LinkSheet = (_props: { linkId: string }): ReactElement | null => null;
export default LinkSheet;
