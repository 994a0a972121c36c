"""What the page of a certificate needs to show its plain values."""

from django import template

from moderation.presenters import certificates

register = template.Library()
register.filter("moment", certificates.moment)
