import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { beginSession } from './app/session.ts';
import { followTheme } from './app/theme.ts';
import './ui/base.css';
import './ui/parts.css';
import './app/app.css';

followTheme();
const root = document.getElementById('root');
const show = (): void => {
  if (root === null) return;
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
};
// Also when nobody answers: the page says so.
beginSession().then(show, show);
