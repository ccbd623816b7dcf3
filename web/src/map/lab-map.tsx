import { ReactFlowProvider } from '@xyflow/react';
import type { ReactElement } from 'react';
import { MapCanvas } from './map-canvas.tsx';
import '@xyflow/react/dist/style.css';
import './map.css';
import './lights.css';
import './print.css';
import './dialogs/map-dialogs.css';
import './palette/palette.css';

/** The lab as a picture that can be worked on. */
export const LabMap = (): ReactElement => (
  <ReactFlowProvider>
    <MapCanvas />
  </ReactFlowProvider>
);
