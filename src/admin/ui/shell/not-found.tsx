import { Button, Typography } from '@mui/material';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ROLE_NAMES, useMayStay } from '../api/roles.js';
import type { Role } from '../../../users/user.js';
import { Page } from './page.js';

/** The page at an address that the site does not have. */
export function NotFound(): ReactNode {
  return <NoPage title="Page not found" text="There is no page at this address." />;
}

export interface AllowedProps {
  /** The role that the page needs; without it, every account may open the page. */
  readonly role: Role | undefined;
  readonly children: ReactNode;
}

/** Shows a page to the accounts that may open it. */
export function Allowed({ role = 'viewer', children }: AllowedProps): ReactNode {
  if (useMayStay(role)) return children;
  const text = `It needs the role ${ROLE_NAMES[role]}. An administrator can give you another role.`;
  return <NoPage title="Your role does not include this page" text={text} />;
}

function NoPage({ title, text }: { title: string; text: string }): ReactNode {
  return (
    <Page title={title} width="text">
      <Typography sx={{ mb: 3 }}>{text}</Typography>
      <Button component={Link} to="/" variant="contained">
        Go to the start page
      </Button>
    </Page>
  );
}
