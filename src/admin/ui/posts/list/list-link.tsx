import { Button, type ButtonProps } from '@mui/material';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { Icon } from '../../shell/icon.js';

/** The state of a link that leads from the list, and on from there: the list to go back to. */
export interface ListState {
  readonly list?: string;
}

/** Returns the path of the list, or of the list from which this page was opened, in its former state. */
export function useListPath(): string {
  const { pathname, search, state } = useLocation();
  const isList = pathname === '/posts' || pathname === '/posts/';
  if (isList) return pathname + search;
  const { list = '/posts' } = (state ?? {}) as ListState;
  return list;
}

export interface ListLinkProps extends Pick<ButtonProps, 'variant' | 'size' | 'sx' | 'children'> {
  readonly to: string;
  /** A path of `@mdi/js`. */
  readonly icon?: string;
  readonly state?: object;
}

/** A button that leads to another page, which knows the list to go back to. */
export function ListLink({ icon, state, ...props }: ListLinkProps): ReactNode {
  const list = useListPath();
  return (
    <Button
      component={Link}
      state={{ list, ...state }}
      startIcon={icon !== undefined && <Icon path={icon} />}
      {...props}
    />
  );
}
