import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { session } from './api/client.js';

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root.');
await session.askTabs();
// No task is long: React, the data of Intl and the site load one after the other, and a transition renders in slices.
await new Promise((resolve) => setTimeout(resolve));
Intl.DateTimeFormat('en-GB');
const { site } = await import('./site.js');
startTransition(() => createRoot(element).render(site));
