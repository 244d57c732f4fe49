import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { session } from './api/client.js';

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root.');
await session.askTabs();
// No task is long: React, the first use of Intl and the site come one after the other, and a transition renders in slices.
await import('./time/time-zone.js');
const { site } = await import('./site.js');
startTransition(() => createRoot(element).render(site));
