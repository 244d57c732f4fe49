import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { session } from './api/client.js';
import { entryAbove } from './shell/entry-above.js';

const element = document.getElementById('root');
if (element === null) throw new Error('index.html has no #root.');
await session.askTabs();
// A page that was reloaded has no open dialog.
await entryAbove.leave();
// No task is long: React, the data of Intl and the site load one after the other, and a transition renders in slices.
await new Promise((resolve) => setTimeout(resolve));
Intl.DateTimeFormat('en-GB');
const { site } = await import('./site.js');
startTransition(() => createRoot(element).render(site));
