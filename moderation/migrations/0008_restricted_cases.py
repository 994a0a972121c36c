from django.db import migrations, models


class Migration(migrations.Migration):
    """A request may restrict what is kept of the person until it is decided."""

    dependencies = [("moderation", "0007_second_looks")]

    operations = [
        migrations.AddField(
            model_name="erasurecase",
            name="restricted_at",
            field=models.DateTimeField(null=True),
        ),
    ]
