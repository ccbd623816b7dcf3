import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import { App } from './app/app.tsx';
import { followTheme } from './app/user/theme.ts';
import { speak, speakAsAsked } from './words/words.ts';
import './ui/base.css';
import './ui/parts.css';
import './app/app.css';

followTheme();
// A catalogue that cannot be loaded is no reason to show nothing.
await speakAsAsked().catch(() => speak('en'));
const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
